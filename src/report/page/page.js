"use strict";
// The film and the copy buttons. All else of the page works without scripts.
document.documentElement.classList.add("scripts");
const data = JSON.parse(document.getElementById("data").textContent);
const element = (id) => document.getElementById(id);

// Characters that would not be seen, or that change the order of the text.
const shown = (text) => text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
  (c) => "\\u{" + c.charCodeAt(0).toString(16) + "}");

function copied(text, button) {
  const say = (word) => {
    const before = button.dataset.name || (button.dataset.name = button.textContent);
    button.textContent = word;
    setTimeout(() => { button.textContent = before; }, 1500);
  };
  const byHand = () => {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    say(done ? "Copied" : "Cannot copy");
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say("Copied"), byHand);
  else byHand();
}
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", () => copied(data[button.dataset.copy], button));
}

// The program after so many steps of the film; one of every 64 is kept.
const KEPT = 64;
const kept = [data.film ? data.film.text : ""];
function program(steps) {
  let at = Math.min(Math.floor(steps / KEPT), kept.length - 1);
  let text = kept[at];
  for (let step = at * KEPT; step < steps; step++) {
    let next = "", end = 0;
    for (const [start, length, inserted] of data.film.steps[step].edits) {
      next += text.slice(end, start) + inserted;
      end = start + length;
    }
    text = next + text.slice(end);
    if ((step + 1) % KEPT === 0 && kept.length === (step + 1) / KEPT) kept.push(text);
  }
  return text;
}

// Unchanged text, of which only the lines near changes are shown if it is long.
const NEAR = 4;
function unchanged(frame, text, isFirst, isLast) {
  const lines = text.split("\n");
  if (lines.length <= 4 * NEAR) return void frame.append(shown(text));
  const begin = isFirst ? 0 : NEAR, end = isLast ? 0 : NEAR;
  const left = lines.length - begin - end;
  if (begin) frame.append(shown(lines.slice(0, begin).join("\n")) + "\n");
  const skip = document.createElement("span");
  skip.className = "skip";
  skip.textContent = "\u22ef " + left + " lines \u22ef\n";
  frame.append(skip);
  if (end) frame.append(shown(lines.slice(-end).join("\n")));
}

function show(number) {
  const film = data.film, frame = element("frame");
  frame.replaceChildren();
  element("slider").value = number;
  if (number === 0) {
    const text = program(0);
    frame.append(shown(text.length > 20000 ? text.slice(0, 20000) + "\n\u22ef" : text));
    element("caption").textContent = film.begin;
    return;
  }
  const before = program(number - 1), step = film.steps[number - 1];
  let end = 0;
  for (const [start, length, inserted] of step.edits) {
    if (start > end) unchanged(frame, before.slice(end, start), end === 0, false);
    for (const [name, text] of [["del", before.slice(start, start + length)], ["ins", inserted]]) {
      if (!text) continue;
      const mark = document.createElement(name);
      mark.textContent = shown(text.length > 20000 ? text.slice(0, 20000) + "\n\u22ef" : text);
      frame.append(mark);
    }
    end = start + length;
  }
  unchanged(frame, before.slice(end), end === 0, true);
  element("caption").textContent = step.caption;
  const first = frame.querySelector("del, ins");
  if (first) frame.scrollTop = Math.max(0, first.offsetTop - frame.offsetTop - 60);
}

if (data.film) {
  const slider = element("slider"), move = (by) => {
    show(Math.min(Number(slider.max), Math.max(0, Number(slider.value) + by)));
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  element("back").addEventListener("click", () => move(-1));
  element("next").addEventListener("click", () => move(1));
  show(Number(slider.value));
}
