<?php
class Base { public $kept; function put($t) { $this->kept = $t; } }
class Shop extends Base {
    public $stock = 3;
    function sell($count, $big) {
        $done = false;
        $left = $this->stock;
        $left = $left - $count;
        if (!$done) { log1("sold"); }
        if (check($left)) { log1("left"); }
        while (check($count)) { log1("again"); }
        $this->stock = twice($left);
        $result = twice(3);
        log1(name($result + 1));
        return $result;
    }
}
function log1($text) { printf("%s %d\n", $text, 3); }
function twice($n) { return 2 * $n; }
function check($n) { return $n > 3 && $n <= 9; }
function name($n) { return "a" . $n; }
