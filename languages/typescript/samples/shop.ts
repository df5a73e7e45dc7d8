class Base<T> { kept: T; put(t: T) { this.kept = t; } }
class Shop extends Base<string> {
    stock: number = 3;
    sell(count: number, big: boolean): number {
        let done = false;
        let left: number = this.stock;
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
function log(text: string): void { console.log("%s %d", text, 3); }
function twice(n: number): number { return 2 * n; }
function check(n: number): boolean { return n > 3 && n <= 9; }
function name(n: number): string { return "a" + n; }
