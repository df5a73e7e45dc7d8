#!/usr/bin/env node
'use strict';
import fs, { readFile as read, writeFile } from 'fs';
import * as path from 'path';
// A comment.
/* Another one. */
const limit = 10, other = 0x1f, big = 12n;
let text = `lines ${limit + 1}
and more`;
var pattern = /ab+c/gi;
function add(a, b = 2, ...rest) {
  if (!a) return b;
  else if (a === 1) { return rest[0]; }
  else return a + b;
}
async function* stream(source) {
  for await (const item of source) yield item?.name ?? 'none';
}
class Shape extends Object {
  #sides = 4;
  static count = 0;
  static { Shape.count = 1; }
  constructor(name) { super(); this.name = name; }
  get area() { return this.#sides ** 2; }
  draw({ color, width: w = 1 }, [first, second]) { return [color, w, first, second]; }
}
outer: for (let i = 0, j = 9; i < limit; i++, j--) {
  for (const key in { a: 1, 'b': 2, [text]: 3, limit, method() {}, ...other }) {
    if (key > i) continue outer;
    else break;
  }
}
while (text.length > 5) text = text.slice(1);
do { text += 'x'; } while (text.length < 3);
switch (limit) {
  case 1: add(1); break;
  case 2: { add(2); }
  default: add(3);
}
try { throw new Error('no'); } catch (error) { console.log(error.message); } finally { text = null; }
const square = x => x * x, sum = (x, y) => { return x + y; };
const element = <div className="a" {...text}>words {limit}<br /></div>;
export default square;
export { sum as total };
(function () { return void 0, typeof text; })();
limit ? add(1, 2) : new Shape('a').draw({ color: 'red' }, [1, 2]);
if (true) ; else { debugger; }
delete text.x, text ||= 'b', [text, pattern] = [pattern, text];
