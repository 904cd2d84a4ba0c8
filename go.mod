module github.com/rowhouse/rowhouse

go 1.26
