open class Base<T> { var kept: T? = null
    fun put(t: T) { kept = t } }
class Shop : Base<String>() {
    var stock: Int = 3
    fun twice(n: Int): Int { return 2 * n }
    fun log(text: String) { println(String.format("%s %d", text, stock)) }
    fun sell(count: Int, big: Boolean): Int {
        var done = false
        var left = stock
        left = left - count
        if (!done) { log("sold") }
        if (check(left)) { log("left") }
        while (check(count)) { log("again") }
        stock = twice(left)
        val result = twice(3)
        log(name(result + 1))
        return result
    }
    fun check(n: Int): Boolean { return n > 3 && n <= 9 }
    fun name(n: Int): String { return "a" + n }
}
