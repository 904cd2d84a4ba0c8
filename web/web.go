// Package web serves browsers: the application and its files, and the server-rendered pages, which
// work without JavaScript. It owns the pages' appearance and security headers. It never accesses
// the database; it calls the packages below it.
package web
