//! Tables on paper: aligned text for people, JSON for programs. Each is written once, over any table.

#[cfg(feature = "json")]
pub mod json;
pub mod text;

pub use text::Text;
