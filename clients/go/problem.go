package rowhouse

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Problem is a request that the service refused: the problem document of its response (RFC 9457). Code
// says why; Errors has each wrong place of the input.
type Problem struct {
	ProblemDocument

	retryAfter time.Duration
}

func (p *Problem) Error() string { return p.Detail }

// HasCode reports whether err is a Problem with one of the codes.
func HasCode(err error, codes ...ProblemCode) bool {
	var problem *Problem
	if !errors.As(err, &problem) {
		return false
	}
	for _, code := range codes {
		if ProblemCode(problem.Code) == code {
			return true
		}
	}
	return false
}

const longestProblem = 1 << 20

// readProblem returns the error of a response. A response that is no problem document came from something
// between the client and the service.
func readProblem(response *http.Response) *Problem {
	problem := &Problem{}
	body, _ := io.ReadAll(io.LimitReader(response.Body, longestProblem)) // a part is as good as none
	if json.Unmarshal(body, &problem.ProblemDocument) != nil || problem.Status == 0 {
		text := strings.TrimSpace(string(body))
		if len(text) > 200 || strings.HasPrefix(text, "<") {
			text = ""
		}
		problem.ProblemDocument = ProblemDocument{
			Status: response.StatusCode, Title: http.StatusText(response.StatusCode),
			Detail: strings.TrimSuffix(response.Status+": "+text, ": "),
		}
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		problem.retryAfter = time.Duration(seconds) * time.Second
	}
	return problem
}
