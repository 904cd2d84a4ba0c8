package api

// Serve is New for operations of a test's own.
var Serve = serve
