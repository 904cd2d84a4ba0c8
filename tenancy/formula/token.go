package formula

// A TokenKind says what a Token is.
type TokenKind uint8

// The kinds of tokens. TokenField is a name in braces, TokenName a word without them.
const (
	TokenEnd      = TokenKind(tokenEnd)
	TokenNumber   = TokenKind(tokenNumber)
	TokenText     = TokenKind(tokenText)
	TokenField    = TokenKind(tokenField)
	TokenName     = TokenKind(tokenName)
	TokenOperator = TokenKind(tokenOperator)
)

// A Token is a part of a text in the words of formulas: numbers, texts in quotes, names, names in braces,
// operators. Text is what the quotes or the braces contain, or the word or the operator itself.
type Token struct {
	Kind   TokenKind
	Text   string
	Number float64
	Place
}

// Tokens splits a text for another language that is written like formulas. The last token is TokenEnd. The
// error is a *Problem.
func Tokens(text string) ([]Token, error) {
	l := lexer{text: text, line: 1, column: 1}
	var list []Token
	for {
		next, failure := l.next()
		if failure != nil {
			return list, failure
		}
		list = append(list, Token{
			Kind: TokenKind(next.kind), Text: next.text, Number: next.value, Place: next.place,
		})
		if next.kind == tokenEnd {
			return list, nil
		}
	}
}
