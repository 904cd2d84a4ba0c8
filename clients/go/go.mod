module github.com/rowhouse/rowhouse/clients/go

go 1.24.0
