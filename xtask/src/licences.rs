//! Every dependency of the product and its tests has a licence that lets everybody use the whole.

use anyhow::{Context, Result};
use spdx::{Expression, ParseMode};

use crate::{process, workspace};

/// Licences that ask for no more than their own text. A copyleft licence is no match for a library under MIT.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The dependencies on this machine whose licence is missing or not allowed.
pub(crate) fn findings() -> Result<Vec<String>> {
    let host = host()?;
    let metadata = workspace::metadata(&["--filter-platform", &host])?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let mut findings = Vec::new();
    for package in packages {
        let text = |field: &str| package[field].as_str().unwrap_or_default();
        if let Some(fault) = fault(text("license")) {
            findings.push(format!("{} {}: {fault}", text("name"), text("version")));
        }
    }
    Ok(findings)
}

/// The platform that cargo builds for here.
pub(crate) fn host() -> Result<String> {
    let version = process::output(&mut process::command("rustc", &["-vV"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say for which platform it builds")?.to_owned())
}

fn fault(licence: &str) -> Option<String> {
    if licence.is_empty() {
        return Some("names no licence".to_owned());
    }
    let Ok(expression) = Expression::parse_mode(licence, ParseMode::LAX) else {
        return Some(format!("`{licence}` is no licence expression"));
    };
    let allowed = |name: &str| ALLOWED.contains(&name);
    let accepted = expression.evaluate(|request| request.license.id().is_some_and(|id| allowed(id.name)));
    (!accepted).then(|| format!("`{licence}` is not on the list in xtask/src/licences.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report;

    #[test]
    fn every_dependency_has_an_allowed_licence() {
        report::expect_none(&findings().unwrap());
    }

    #[test]
    fn a_licence_counts_as_its_expression_says() {
        for good in ["MIT", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in ["", "GPL-3.0-only", "MIT AND AGPL-3.0-only", "LicenseRef-mine", "whatever"] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }
}
