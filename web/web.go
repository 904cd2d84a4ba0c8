// Package web serves what a browser sees: the application with its files, and the pages that need no script.
// It owns how pages look and which headers protect them. It never touches the database; it asks the packages below it.
package web
