package field

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

var _ = Register(NewTextLike(Info{
	Type: "url", Place: 40, Title: "URL", Description: "A URL with its scheme, as in https://example.com.", Ask: AskURL,
}, TextRules{Trim: true, Check: checkURL, Show: showURL}))

// scriptSchemes are the schemes of URLs whose content runs, or is shown, in place of the page that
// links to them.
var scriptSchemes = []string{"javascript", "vbscript", "data", "blob", "filesystem", "livescript", "mocha"}

func checkURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" || strings.ContainsAny(s, " \t\r\n<>\"") {
		return fmt.Errorf("%s is not a URL; it begins with a scheme, as in https://example.com", Quote(s))
	}
	if slices.Contains(scriptSchemes, u.Scheme) {
		return fmt.Errorf("%s would run as a script where it is opened; a URL is not of the schemes %s", Quote(s),
			problem.List(scriptSchemes))
	}
	return nil
}

func showURL(_ *Config, s string, shown *Shown) {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		shown.Link = s
	}
}
