class Base { constructor(t) { this.kept = t; } put(t) { this.kept = t; } }
class Shop extends Base {
    stock = 3;
    sell(count, big) {
        let done = false;
        let left = this.stock;
        left = left - count;
        if (!done) { log("sold"); }
        if (check(left)) { log("left"); }
        while (check(count)) { log("again"); }
        this.stock = twice(left);
        const result = twice(3);
        log(name(result + 1));
        return result;
    }
}
function log(text) { console.log("%s %d", text, 3); }
function twice(n) { return 2 * n; }
function check(n) { return n > 3 && n <= 9; }
function name(n) { return "a" + n; }
