package text

// An Account is what the pages say on which people sign in and answer links in mails.
type Account struct {
	SignIn, SignUp, SignOut, StaySignedIn, SigningOut                  string
	Email, Password, Name, Organization, NewPassword                   string
	Forgot, New, Create, CreateAccount, Have, Lead                     string
	OrganizationHint, PasswordHint                                     string
	ResetTitle, ResetLead, ResetSend, BackToSignIn                     string
	ChooseTitle, Revoke, RevokeHint, RevokeAll, SetPassword            string
	VerifyTitle, Verify, VerifyHint                                    string
	AddressTitle, Change, ChangeHint, NotYours                         string
	Join, SignInToJoin, SignOutToJoin, CreateAndJoin                   string
	Continue, ThankYou, CheckMail, Sent, Confirmed, Changed            string
	AfterReset, AfterSignOut                                           string
	WentWrong, PageNotFound, TryLater, ElsewhereForm, TooLarge, Unread string

	For             [2]string // around the address whose password is chosen
	Verifying       [2]string // around the address that is confirmed
	Changing        [3]string // around the new address, and the former one
	NotSignedUp     [2]string // the second part links to the page that resets a password
	JoinTitle       func(organization string) string
	Invited         func(by, organization, role string) string // by is "" if nobody is named
	SignedInAs      func(email string) string
	ForSomebodyElse func(email, present string) string
	HasAccount      func(email string) string
}

// A Refused is what the service says of what people enter on those pages. The English texts are the service's own, to
// the letter, so that Translate finds them.
type Refused struct {
	SignIn, Guessed, Attempts, PasswordChanged string
	HasAccount, AccountThere, LinkEnded        string
	NotOfAccount, NotOfThisAccount             string // a password
	NoMail, MailFailed                         string
	Short, OwnName, Common                     string // a new password
	NoAddress, Empty, Nobody                   string
	Guessable                                  string // a new password

	// Of what has words put into it, so that English has none.
	Long    func(characters string) string
	Files   func(most string) string
	Between func(low, high string) string
	NoPage  func(path string) string
}
