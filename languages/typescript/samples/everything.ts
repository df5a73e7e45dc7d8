// every important construct
import type { A } from "a";
import b, { c as d } from "b";
export type Id = string | number;
type Pair<L, R = L> = { left: L; right?: R; readonly [key: string]: unknown };
interface Shape extends A { area(scale: number): number; name: string; new (x: Id): Shape; (): void }
enum Color { Red, Green = 2, Blue }
declare function outside(x: any): void;
declare module "m" { export const v: number; }
namespace N { export const deep = 1; }
abstract class Base<T extends object> implements A {
  private readonly items: T[] = [];
  static count?: number;
  constructor(protected x: T, public y = 1) { super(); }
  abstract draw(): void;
  get size(): number { return this.items!.length; }
  async *walk<U>(f: (item: T) => U, ...rest: U[]): AsyncGenerator<U> { yield f(this.x as T); }
}
function over(x: string): string;
function over(x: any, y?: Id): any {
  const pair: Pair<Id> = { left: x, right: y };
  let [p, ...q] = [1, 2];
  for (const key in pair) { if (!key) continue; else break; }
  return x satisfies string ? <any>pair : d(b, p ?? q?.[0], N.deep, Color.Red);
}
const check = (v: unknown): v is string => typeof v === "string";
let tuple: [a: number, b?: string] = [1];
let mapped: { [K in keyof Shape]?: Shape[K] extends infer F ? F : never };
export default check;
