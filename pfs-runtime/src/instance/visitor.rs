//! What is done with each instance that an object holds, and what is told of it on the way there.

use super::Instance;
use crate::class::Class;

/// Goes through what an object holds and does something with each instance that it comes to.
///
/// What holds instances shows them one by one to [`Visitor::instance`]; what has a name for some of them puts
/// [`Visitor::named`] around those.
pub struct Visitor<'a> {
    each: &'a mut dyn FnMut(&Instance, Option<&'static Class>),
    unmade: bool,
}

laid_out!(impl['a] Visitor<'a> as Visitor { each, unmade });
laid_out!(fn &mut dyn FnMut(&Instance, Option<&'static Class>), Instance, Class);

impl<'a> Visitor<'a> {
    /// Does `each` with every instance and the class that the type that holds it has for it, if it has one.
    pub fn new(each: &'a mut dyn FnMut(&Instance, Option<&'static Class>)) -> Self {
        Self { each, unmade: false }
    }

    /// Shows an instance.
    pub fn instance(&mut self, instance: &Instance) {
        (self.each)(instance, None);
    }

    /// Says that something is made later, and that what it will hold cannot be shown yet.
    pub fn unmade(&mut self) {
        self.unmade = true;
    }

    /// Whether something was not made yet.
    pub fn saw_unmade(&self) -> bool {
        self.unmade
    }

    /// Shows what `visit` shows, with the one of `classes` that is of the instance's kind. The outermost name counts.
    pub fn named(&mut self, classes: &[&'static Class], visit: impl FnOnce(&mut Visitor<'_>)) {
        let each = &mut *self.each;
        let mut each = |instance: &Instance, _: Option<&'static Class>| {
            let kind = instance.class().kind();
            each(instance, classes.iter().copied().find(|class| class.kind() == kind));
        };
        let mut visitor = Visitor { each: &mut each, unmade: self.unmade };
        visit(&mut visitor);
        self.unmade = visitor.unmade;
    }

    /// Shows what `visit` shows of so many objects of one type. What is unmade in many of them is not told: to look
    /// for it again at every new object would cost more the more there are.
    pub fn several(&mut self, objects: usize, visit: impl FnOnce(&mut Visitor<'_>)) {
        const FEW: usize = 64;
        let before = self.unmade;
        visit(self);
        if objects > FEW {
            self.unmade = before;
        }
    }
}

/// Names what `visit` shows by the classes that come with it.
pub fn name_own(visit: impl FnOnce(&mut Visitor<'_>)) {
    visit(&mut Visitor::new(&mut |instance, own| {
        if let Some(class) = own {
            instance.name(class);
        }
    }));
}

impl core::fmt::Debug for Visitor<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Visitor").field("unmade", &self.unmade).finish_non_exhaustive()
    }
}
