package sample.deep

import kotlin.math.max

// A comment.
interface Shape {
    fun area(): Double
}

enum class Suit { HEARTS, SPADES }

typealias Change = (Int) -> Int

abstract class Base<T>(val name: String, private var count: Int = 0) : Shape {
    companion object {
        const val LIMIT = 10
    }

    private val items: MutableList<T> = mutableListOf<T>()

    init { println(name) }

    override fun area(): Double = 1.5

    open fun add(item: T) {
        items.add(item)
    }
}

object Single {
    val x = 1
}

data class Point(val x: Int, val y: Int?)

fun sum(values: List<Int>, start: Int = 0): Int {
    var total = start
    for (value in values) {
        if (!(value > 0)) continue
        total += value * 2
    }
    while (total > 100) {
        total -= 1
        break
    }
    do { total-- } while (total > 3)
    val kind = when (total) {
        1, 2 -> "few"
        else -> "many"
    }
    try {
        throw Exception("no $kind")
    } catch (e: Exception) {
        println(e.message ?: "none")
    } finally {
        total = 0
    }
    val twice: Change = { x -> x * 2 }
    values.map { it + 1 }.filter { v -> v > 1 }.forEach { println(it) }
    return if (total == 0) twice(max(values.size, 1)) else total as Int
}

fun main(args: Array<String>) {
    val point = Point(1, null)
    val text = """raw ${point.x}"""
    println(text + 'c' + true + sum(listOf(1, 2, 3)) + args[0])
}
