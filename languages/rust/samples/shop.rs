//! A shop.

struct Base<T> { kept: T }
impl<T> Base<T> { fn put(&mut self, t: T) { self.kept = t; } }
struct Shop { base: Base<String>, stock: i32 }
fn twice(n: i32) -> i32 { 2 * n }
fn log(text: &str) { write!(f, "{} {}", text, 3); }
impl Shop {
    fn sell(&mut self, count: i32, big: bool) -> i32 {
        let done = false;
        let mut left = self.stock;
        left = left - count;
        if !done { log("sold"); }
        if check(left) { log("left"); }
        while check(count) { log("again"); }
        self.stock = twice(left);
        let result = twice(3);
        log(&name(result + 1));
        return result;
    }
}
fn check(n: i32) -> bool { n > 3 && n <= 9 }
fn name(n: i32) -> String { return format!("a{}", n); }
