package api

// Serve is New for a test's own operations.
var Serve = serve
