//! Why a plugin did not join.

use crate::class::NotLinked;
use core::error::Error;
use core::fmt;

/// Why a plugin did not join. Nothing was changed, in the program or in the plugin, whose instruments stay off.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum JoinError {
    /// The function is not one that `pfs::plugin!` made, or it was made by a pfs that offers in another way.
    NotAnOffer,
    /// Program and plugin are built of different things.
    OtherBuild {
        /// What the program's pfs is built of.
        program: String,
        /// What the plugin's pfs is built of.
        plugin: String,
    },
    /// Program and plugin lay out in different ways what both look at.
    OtherLayout,
    /// The plugin has no pfs of its own but the program's, of which its classes are part.
    NoPlugin,
    /// The plugin has joined before.
    AlreadyJoined,
    /// The plugin has started pfs for itself.
    StartedItself,
    /// The caller is a plugin.
    FromPlugin,
    /// The plugin's list of classes was lost in linking.
    NotLinked(NotLinked),
}

/// As it is displayed: it is what a `main` that returns the error prints.
impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnOffer => f.write_str(
                "this is not the function `pfs_plugin` that `pfs::plugin!()` makes in a plugin, or that of another \
                 version of pfs: build the plugin with the pfs of the program",
            ),
            Self::OtherBuild { program, plugin } => write!(
                f,
                "the plugin cannot join, because it was built with `{plugin}` and the program with `{program}`: build \
                 both with the same pfs and the same compiler"
            ),
            Self::OtherLayout => f.write_str(
                "the plugin cannot join, because it lays out shared data in another way than the program: build both \
                 with the same versions of pfs's dependencies and the same compiler options",
            ),
            Self::NoPlugin => f.write_str(
                "the plugin has no pfs of its own but shares that of the program: its instruments are the program's \
                 and need not join",
            ),
            Self::AlreadyJoined => f.write_str("the plugin has joined before: once is enough"),
            Self::StartedItself => f.write_str(
                "the plugin has started pfs for itself: leave that to the program, which starts pfs before the plugin \
                 joins",
            ),
            Self::FromPlugin => {
                f.write_str("a plugin cannot let another plugin join: the program does that for all of them")
            }
            Self::NotLinked(error) => write!(f, "in the plugin, {error}"),
        }
    }
}

impl Error for JoinError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotLinked(error) => Some(error),
            _ => None,
        }
    }
}

impl From<NotLinked> for JoinError {
    fn from(error: NotLinked) -> Self {
        Self::NotLinked(error)
    }
}
