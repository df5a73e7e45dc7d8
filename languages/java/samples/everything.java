package samples.all;

import java.util.*;
import java.util.function.Function;
import static java.lang.Math.max;

/** A comment. */
@Deprecated
public abstract class Everything<T extends Comparable<T> & Cloneable> extends Object implements Runnable {
    private static final int LIMIT = 10, OTHER = 0x1F;
    protected List<? extends T> items = new ArrayList<>();
    int[] numbers = {1, 2, 3};
    static { System.out.println("once"); }

    enum Color { RED, GREEN(2) { int code() { return 1; } }; Color(int... n) {} int code() { return 0; } }
    record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException(); } }
    @interface Marker { String value() default "a"; int[] codes() default {}; }
    interface Shape { double area(); default String name() { return "shape"; } }

    public Everything(T first) throws Exception { this(first, 1); }
    Everything(T first, int n) { super(); this.numbers[0] = n; }

    abstract void nothing();

    @Override
    public synchronized void run() {
        // Another comment.
        int total = 0;
        outer:
        for (int i = 0, j = 9; i < LIMIT; i++, j--) {
            for (int n : numbers) {
                if (n > i) continue outer;
                else if (n == j) break;
                else { total += n; }
            }
        }
        while (total > 5) total--;
        do { total++; } while (total < 3);
        switch (total) {
            case 1: total = 2; break;
            case 2: { total = 3; }
            default: total = 4;
        }
        String text = switch (total) { case 1, 2 -> "few"; default -> { yield "many"; } };
        try (Scanner in = new Scanner(System.in)) {
            in.next();
        } catch (IllegalStateException | NoSuchElementException e) {
            throw new RuntimeException(e.getMessage());
        } finally {
            text = null;
        }
        synchronized (this) { assert total > 0 : "positive"; }
        Function<Integer, Integer> twice = x -> x * 2;
        Comparator<String> order = (a, b) -> { return a.compareTo(b); };
        Runnable r = this::run;
        Object o = !(total instanceof Integer) ? (Object) 'c' : new int[2][3];
        boolean is = o instanceof String s && s.isEmpty() || total >>> 2 != 1L + 2.5f;
        numbers[0] = max(-total, ~OTHER) + twice.apply(3);
        var block = """
            text
            """;
        ;
        return;
    }

    <R> R map(Function<? super T, R> f, final T... all) { return f.apply(all[0]); }
}
