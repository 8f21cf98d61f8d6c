//! Only a home for `tests/`: see `pass/` and `fail/`.
