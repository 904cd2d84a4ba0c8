package field

import (
	"fmt"
	"strings"
)

var _ = Register(NewTextLike(Info{
	Type: "email", Place: 30, Title: "E-mail", Description: "An e-mail address.", Ask: AskEmail,
}, TextRules{Trim: true, Check: checkEmail}))

func checkEmail(s string) error {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || local == "" || domain == "" || len(s) > 320 || strings.ContainsAny(s, " \t\r\n,;<>") ||
		strings.Contains(domain, "@") {
		return fmt.Errorf("%s is not an e-mail address", Quote(s))
	}
	return nil
}
