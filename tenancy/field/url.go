package field

import (
	"fmt"
	"net/url"
	"strings"
)

var _ = Register(NewTextLike(Info{
	Type: "url", Place: 40, Title: "URL", Description: "A URL with its scheme, as in https://example.com.",
}, TextRules{Trim: true, Check: checkURL, Show: showURL}))

func checkURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" || strings.ContainsAny(s, " \t\r\n<>\"") {
		return fmt.Errorf("%s is not a URL; it begins with a scheme, as in https://example.com", Quote(s))
	}
	return nil
}

func showURL(_ *Config, s string, shown *Shown) {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		shown.Link = s
	}
}
