"""Break tests and combat reforms (wap.break.*)."""
