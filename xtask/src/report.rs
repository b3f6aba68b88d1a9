//! How a check says what it found: one finding a line, and a verdict.

use anyhow::{Result, bail};

/// Prints the findings of a check; it is an error when there are any.
pub(crate) fn settle(check: &str, findings: &[String]) -> Result<()> {
    for finding in findings {
        println!("{finding}");
    }
    if !findings.is_empty() {
        bail!("{check}: {} to mend", findings.len());
    }
    println!("{check}: good");
    Ok(())
}

/// The same for tests.
#[cfg(test)]
pub(crate) fn expect_none(findings: &[String]) {
    assert!(findings.is_empty(), "{} to mend:\n{}", findings.len(), findings.join("\n"));
}
