package airtable

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

var mention = regexp.MustCompile(`<airtable:mention id="[^"]*">([^<]*)</airtable:mention>`)

// longText writes people who are mentioned by their names.
func longText(raw json.RawMessage, people product.People) (json.RawMessage, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return product.TextValue(raw, people)
	}
	return product.Written(mention.ReplaceAllString(s, "$1")), nil
}

// member is the text in a member of an object.
func member(name string) func(json.RawMessage, product.People) (json.RawMessage, error) {
	return func(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			return nil, fmt.Errorf("is no object, but %s", jsonvalue.Describe(raw))
		}
		var s string
		if len(members[name]) == 0 || json.Unmarshal(members[name], &s) != nil {
			return json.RawMessage("null"), nil
		}
		return product.Written(s), nil
	}
}

// hundredfold is a percent: 0.123 is 12.3 here. It moves the point and so rounds nothing.
func hundredfold(raw json.RawMessage, _ product.People) (json.RawMessage, error) {
	if jsonvalue.Kind(raw) != jsonvalue.Number {
		return raw, nil // the field says what is wrong with it
	}
	digits, exponent, has := strings.Cut(strings.ToLower(string(raw)), "e")
	if !has {
		exponent = "0"
	}
	var e int
	if _, err := fmt.Sscan(strings.TrimPrefix(exponent, "+"), &e); err != nil {
		return nil, fmt.Errorf("%s is not a number", raw)
	}
	return fmt.Appendf(nil, "%se%d", digits, e+2), nil
}
