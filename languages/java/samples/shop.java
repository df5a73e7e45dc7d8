class Base<T> { T kept; void put(T t) { kept = t; } }
class Shop extends Base<String> {
    int stock;
    static int twice(int n) { return 2 * n; }
    void log(String text) { System.out.printf("%s %d%n", text, stock); }
    int sell(int count, boolean big) {
        boolean done = false;
        int left = stock;
        left = left - count;
        if (!done) { log("sold"); }
        if (check(left)) { log("left"); }
        while (check(count)) { log("again"); }
        stock = twice(left);
        int result = twice(3);
        log(name(result + 1));
        return result;
    }
    boolean check(int n) { return n > 3 && n <= 9; }
    String name(int n) { return "a" + n; }
}
