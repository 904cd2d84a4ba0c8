package web_test

import "net/http/httptest"

// A blockedWriter is a client that does not read until the end.
type blockedWriter struct {
	*httptest.ResponseRecorder

	writing, end chan struct{}
}

func (w *blockedWriter) Write(b []byte) (int, error) {
	close(w.writing)
	<-w.end
	return w.ResponseRecorder.Write(b)
}
