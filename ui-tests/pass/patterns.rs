//! Arguments that are taken apart, also by reference that changes them.

use pfs::prelude::*;

struct Pair {
    one: u8,
    other: String,
}

#[statement("ui/patterns/field")]
fn field(Pair { one: ref mut first, other }: Pair) -> Result<(u8, String), String> {
    *first += 1;
    Ok((*first, other))
}

#[statement("ui/patterns/whole")]
fn whole(ref mut one: u8) -> Result<u8, String> {
    *one += 1;
    Ok(*one)
}

#[statement("ui/patterns/nested")]
fn nested((ref mut one, [ref first, .., last]): (u8, [u8; 3])) -> Result<u8, String> {
    *one += *first;
    Ok(*one + last)
}

fn main() {
    assert_eq!(field(Pair { one: 1, other: "x".to_owned() }), Ok((2, "x".to_owned())));
    assert_eq!(whole(1), Ok(2));
    assert_eq!(nested((1, [2, 3, 4])), Ok(7));
}
