class Base<T> { T kept; void Put(T t) { kept = t; } }
class Shop : Base<string> {
    int stock;
    static int Twice(int n) { return 2 * n; }
    void Log(string text) { Console.WriteLine("{0} {1}", text, stock); }
    int Sell(int count, bool big) {
        bool done = false;
        int left = stock;
        left = left - count;
        if (!done) { Log("sold"); }
        if (Check(left)) { Log("left"); }
        while (Check(count)) { Log("again"); }
        stock = Twice(left);
        int result = Twice(3);
        Log(Name(result + 1));
        return result;
    }
    bool Check(int n) { return n > 3 && n <= 9; }
    string Name(int n) { return "a" + n; }
}
