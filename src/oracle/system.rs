//! The folders of the operating system: what is there is expected on every other machine, too.

use std::path::Path;

/// The folders.
const SYSTEM: &[&str] =
    &["/bin", "/dev", "/etc", "/lib", "/lib64", "/nix", "/opt", "/proc", "/sbin", "/sys", "/usr"];

/// Whether a path is in a folder of the system.
pub fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_names_of_folders_count() {
        assert!(is_of_system(Path::new("/usr/bin/gcc")) && is_of_system(Path::new("/bin/sh")));
        assert!(!is_of_system(Path::new("/usrx/gcc")) && !is_of_system(Path::new("/home/u/gcc")));
    }
}
