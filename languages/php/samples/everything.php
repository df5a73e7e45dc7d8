<?php
namespace Sample\Deep;

use Other\Thing;

// A comment.
interface Shape { public function area(): float; }

abstract class Base implements Shape {
    const LIMIT = 10;
    protected int $count = 0;
    private ?string $name;

    public function __construct(string $name, array $rest = []) {
        $this->name = $name;
    }

    public function area(): float { return 1.5; }

    public static function make(): static { return new static("a"); }
}

trait Loud { function shout($text) { echo strtoupper($text), "!\n"; } }

enum Suit: string { case Hearts = 'H'; case Spades = 'S'; }

function sum(int $a, int ...$more) {
    $total = $a;
    foreach ($more as $key => $value) {
        if (!$value) { continue; }
        $total += $value * 2;
    }
    for ($i = 0; $i < 3; $i++) { $total = $total + $i; }
    while ($total > 100) { $total -= 1; break; }
    do { $total++; } while (false);
    switch ($total) { case 1: return 1; default: break; }
    try { throw new Exception("no {$total}"); } catch (Exception $e) { echo $e->getMessage(); } finally { unset($i); }
    return $total ?? 0;
}

$double = function ($x) use (&$double) { return $x * 2; };
$triple = fn($x) => $x * 3;
$list = ['a' => 1, 'b' => [true, null, 2.5]];
$kind = match (true) { sum(1, 2) > 2 => 'big', default => 'small' };
if ($list['a'] === 1 && !empty($kind)) { echo sum(1, 2, 3); } elseif ($kind) { echo 1; } else { print("none"); }
