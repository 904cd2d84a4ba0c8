package api

import (
	"net/http"

	"github.com/rowhouse/rowhouse/problem"
)

// WriteProblem responds to a request with an error.
func WriteProblem(w http.ResponseWriter, r *http.Request, err error) { problem.Write(w, r, err) }
