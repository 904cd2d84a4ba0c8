package oauth

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Whoever is not signed in makes the service fetch documents, so no setting opens private addresses to it.
func TestDocumentsComeFromPublicAddressesAlone(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	f := newDocumentFetcher()
	f.allowAnyPort = true
	_, err := f.fetch(t.Context(), server.URL+"/client.json", time.Now())
	if err == nil || !strings.Contains(err.Error(), "public") {
		t.Errorf("the document of a private address: %v", err)
	}
}
