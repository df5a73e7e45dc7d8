// A test for Lopper that starts once: lopper reduce --server 'node lopper_server.js' FILE
// What is loaded here is loaded once. A check that keeps state, or that may hang, is better run in a process or a
// worker thread of its own. Protocol: docs/servers.md.
const fs = require("node:fs");
const readline = require("node:readline");
// const tool = require("/path/to/the/tool");

/** The verdict on the file at this path: "interesting", "boring" or "invalid". */
function check(path) {
    const text = fs.readFileSync(path, "utf8");
    return text.includes("the failure") ? "interesting" : "boring";
}

const say = (line) => fs.writeSync(1, JSON.stringify(line) + "\n");
console.log = console.error; // Standard output is for answers only.
say({ protocol: 1 });
readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const { serial, path, folder } = JSON.parse(line);
    process.chdir(folder);
    say({ serial, verdict: check(path) });
});
