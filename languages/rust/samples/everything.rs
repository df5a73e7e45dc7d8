//! A sample.
#![allow(dead_code)]
use std::collections::{BTreeMap, HashMap as Map};
use std::fmt::*;
extern crate core;
mod inner {
    pub(crate) const LIMIT: usize = 10;
    pub static NAME: &str = "name";
    pub type Pair<T> = (T, T);
}
/// A shape.
#[derive(Clone, Debug)]
pub struct Shape<'a, T: Clone + 'a, const N: usize> where T: Copy {
    pub name: &'a str,
    sides: [T; N],
}
struct Unit;
struct Tuple(i32, pub String);
enum Kind { First, Second(i32, u8), Third { x: f64 } }
enum Only { One(Box<dyn Fn(u8) -> u8>) }
impl Tuple {
    fn new(b: String, a: i32) -> Self { Self(a, b) }
}
union Bits { a: u32, b: f32 }
trait Area {
    type Unit: Default;
    const SIDES: u32 = 4;
    fn area(&self) -> f64;
    fn name(&mut self) -> String { String::new() }
}
impl<'a, T: Copy, const N: usize> Area for Shape<'a, T, N> where T: Into<f64> {
    type Unit = ();
    fn area(&self) -> f64 { self.sides.iter().map(|side| (*side).into()).sum() }
}
macro_rules! twice {
    ($x:expr) => { $x + $x };
}
unsafe extern "C" fn raw(p: *const u8, mut count: usize) -> u8 {
    count -= 1;
    unsafe { *p.add(count) }
}
async fn wait<F>(future: F) -> Result<i32, Box<dyn std::error::Error>>
where
    F: Future<Output = i32>,
{
    let value = future.await;
    Ok(value)
}
fn main() {
    let mut total = 0u32;
    let (a, b): (i32, _) = (1, 2.5e3);
    'outer: for i in 0..=10 {
        while total < 5 {
            total += 1;
            if total == 3 { continue 'outer; } else if i > 4 { break 'outer; } else { () }
        }
        loop { break; }
    }
    let text = match Kind::First {
        Kind::First | Kind::Second(1, _) => "one",
        Kind::Second(n, ..) if n > 1 => r#"raw "text""#,
        Kind::Third { x } => { let _ = x; "three" }
        _ => return,
    };
    if let Some(x) = Some(text).filter(|t| !t.is_empty()) { drop(format!("{} {}", x, twice!(a))); }
    let shape = Shape::<f64, 2> { name: "s", sides: [1.0, b] };
    let map: Map<char, u8> = [('a', b'x')].into_iter().collect();
    let closure = move |x: i32| -> i32 { x * 2 };
    let _ = closure(-a) as u64 + map[&'a'] as u64;
    let _ = &shape.sides[..1];
    drop(Tuple::new(String::new(), 1));
    assert_eq!(total, 3, "no");
}
