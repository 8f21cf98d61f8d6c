//! What may be a statement's text, with a message of our own for what may not.

/// What is text: everything that is `AsRef<[u8]>`. For `text = …`, whose mistakes are explained.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`text = …` takes text, and `{Self}` is none",
    label = "`{Self}` is not `AsRef<[u8]>`",
    note = "text is a `&str`, a `String`, bytes, or anything else that is `AsRef<[u8]>`; make it of other values by \
            `text = format!(\"…\")`, which runs only where text is wanted"
)]
pub trait StatementText {
    /// Its bytes.
    fn bytes(&self) -> &[u8];
}

// The message is about what was written, and not about what this would ask of it.
#[diagnostic::do_not_recommend]
impl<T: AsRef<[u8]> + ?Sized> StatementText for T {
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self.as_ref()
    }
}

/// The bytes of a text.
#[doc(hidden)]
#[inline(always)]
pub fn text<T: StatementText + ?Sized>(text: &T) -> &[u8] {
    text.bytes()
}
