using System;
using System.Collections.Generic;

// A comment.
namespace Sample.Deep
{
    public enum Suit { Hearts = 1, Spades }

    public interface IShape { double Area(); }

    public delegate int Change(int x);

    public record Point(int X, int Y);

    public abstract class Base<T> : IShape where T : class
    {
        public const int Limit = 10;
        private readonly List<T> items = new List<T>();
        public string Name { get; set; }

        protected Base(string name, params T[] rest)
        {
            Name = name;
            items.AddRange(rest);
        }

        public virtual double Area() { return 1.5; }

        public static int Sum(int[] values, int start = 0)
        {
            var total = start;
            foreach (var value in values)
            {
                if (!(value > 0)) continue;
                total += value * 2;
            }
            for (int i = 0; i < 3; i++) { total = total + i; }
            while (total > 100) { total -= 1; break; }
            do { total--; } while (false);
            switch (total)
            {
                case 1: return 1;
                default: break;
            }
            try { throw new Exception("no"); }
            catch (Exception e) { Console.WriteLine(e.Message); }
            finally { total = 0; }
            Change twice = x => x * 2;
            int Local(int y) { return y + 1; }
            lock (values) { total = twice(Local(total)); }
            return total == 0 ? values.Length : (int)1.5;
        }
    }

    struct Pair { public int A; public int B; public override string ToString() { return "pair"; } }

    class Program
    {
        [Obsolete("old")]
        static void Main(string[] args)
        {
            object thing = args.Length > 1 ? null : new Pair { A = 1, B = 2 };
            if (thing is Pair pair && pair.A == 1) Console.WriteLine($"{pair.A}");
            else Console.WriteLine(@"c:\dir" + 'c' + true);
            Base<string>.Sum(new int[] { 1, 2, 3 });
        }
    }
}
