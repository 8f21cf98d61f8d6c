//! Builds of their own: which features and which profile a crate is built with is decided for all packages of a build
//! together, so a question about them is asked of another build, in a target folder of its own.

use std::path::Path;
use std::process::Command;

/// Runs cargo in the target folder `folder` and gives what it printed; it must succeed.
pub(crate) fn cargo(folder: &str, arguments: &str, environment: &[(&str, &str)]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments.split_whitespace())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder))
        // What is needed was needed for this test to be built.
        .env("CARGO_NET_OFFLINE", "true")
        .envs(environment.iter().copied())
        .output()
        .expect("cargo runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "cargo {arguments}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}
