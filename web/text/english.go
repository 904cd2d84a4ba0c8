package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// English is the language of those who have no other that there are texts in.
var English = Text{
	Tag: "en",

	Share: Share{
		Locked: "Password needed", NotShared: "Not shared", NotFound: "Not found",
		Gone: "This link does not lead to a base, or the base is no longer shared. Ask the person who gave it to " +
			"you for a new link.",
		SkipToRecords: "Skip to the records", Editable: "Can be edited", ReadOnly: "Read only", SharedBy: "Shared with",
		LockedLabel: "This link needs a password",
		LockedStill: "That is not the password of this link.", Open: "Open",
		NoTables: "This base has no tables yet.", Tables: "Tables", Views: "Views",
		Saved: "Saved.", SearchRecords: "Search the records", NewRecord: "New record", Change: "Change",
		AllInTable: "All are in the table.", Pages: "Pages", Previous: "Previous", Next: "Next",
		Board: "Board", Record: "Record", EmptyMonth: "There is nothing in this month.", Chart: "Chart",
		MoreGroups: "There are more groups.", RecordCount: "Number of records",
		Over:  "more than the limit",
		First: func(count, of int64) string { return fmt.Sprintf("The first %d of %d records.", count, of) },
		NoHit: func(searched string) string { return "No record contains “" + searched + "”." },
		Range: func(from, to, of int64) string { return fmt.Sprintf("%d–%d of %d", from, to, of) },
		By:    func(value, group string) string { return value + ", by " + group },
		Show: names(map[string]string{
			"grid": "Show as a table", "gallery": "Show as a gallery", "kanban": "Show as a board",
			"calendar": "Show as a calendar", "timeline": "Show as a timeline", "chart": "Show as a chart",
		}),
	},
	Print: Print{
		All: "All records",
		Gone: "There is no such view, or you do not see it. Open it in Rowhouse, and print it from the menu of its " +
			"tools.",
		First:    func(count, of int64) string { return fmt.Sprintf("the first %d of %d records", count, of) },
		Filtered: func(fields []string) string { return "Filtered by " + strings.Join(fields, ", ") },
		Searched: func(text string) string { return "Records that have “" + text + "”" },
		Sum: names(map[string]string{
			"count": "Filled", "distinct": "Different", "sum": "Sum", "avg": "Average", "median": "Median",
			"min": "Min", "max": "Max",
		}),
	},
	Form: Form{
		Preview:     "This is a preview. The form looks as people with its link see it, and nothing can be sent.",
		SendAnother: "Send another answer", Sent: "Thank you. Your answer was sent.",
		SentBefore: "This answer has arrived already, and is stored once. To send another one, open the form again.",
		Kept: [3]string{
			"You can change your answer later. Keep ", "the link to your answer",
			": whoever has it can read and change the answer.",
		},
		Back: "Back to the list", Changes: "What you save changes it for everybody.",
		Editing:     "This is your answer as it is now. What you change replaces it.",
		NeedsScript: "This form needs JavaScript, for a check that keeps spam out.",
		Submit:      "Submit", Save: "Save", PageBack: "Back", Required: "(required)",
		MadeWith: "Made with", Warning: "Never send passwords with a form.",

		Closed:      "This form takes no more answers.",
		AnswerGone:  "This link does not lead to an answer, or the answer cannot be changed any more.",
		RecordGone:  "This record is no longer in the list.",
		TooLate:     "This page was open for too long. Nothing is lost: send it once more.",
		NotFinished: "The check against spam was not finished. Send it once more.",
		Again:       "Some answers need another look.",
		AgainRecord: "Some values need another look.",
		Impossible:  "This form cannot be answered at present. Tell the person who gave you the link.",
		NotSaved:    "This cannot be saved at present. Tell the person who gave you the link.",
		Lacks:       "The table needs a value that is not asked for. Tell the person who gave you the link.",
		BadLink:     "The link of this form lacks a value or carries one that does not fit. Ask for another link.",
		Given:       "It must be unique, and somebody has answered this already.",
		GivenOne:    "One of these answers must be unique, and somebody has given it already.",
		Taken:       "It must be unique, and another record has it.",
		OutOfView:   "With these values, the record would not be in the list. Nothing was saved.",
		FileNotHere: "This file was not uploaded with this answer. Take it away and add it again.",
		NoRoom:      "This form cannot take files at present. Tell the person who gave you the link.",
		UploadLate:  "The page was open for too long. Send the form, and add the file to the page that comes then.",

		Continue: func(host string) string { return "Continue to " + host },
		Remove:   func(file string) string { return "Remove " + file },
		Files: func(most int, kinds []string, megabytes int) string {
			count := "One file"
			if most > 1 {
				count = fmt.Sprintf("Up to %d files", most)
			}
			return fmt.Sprintf("%s, at most %d MB each%s.", count, megabytes, list(": ", kinds))
		},
		FileKind: names(map[string]string{
			"image/*": "images", "application/pdf": "PDF", "video/*": "videos", "audio/*": "sounds",
		}),
		RequiredAt: "Is required.",
		Script: Script{
			Next: "Next", Place: "Page {page} of {pages}", NotArrived: "It did not arrive.",
			ManyUploads: "This answer has had too many uploads. Send it, and then another one.",
			Remove:      "Remove {name}", Preview: "A preview sends nothing.", Sending: "{name} is being sent…",
			MostFiles: "{name}: at most {most} can be sent.", Large: "{name} is larger than 20 MB.",
			Wait: "Files are still being sent. Wait a moment.", Checking: "Checking that this is no spam…",
		},
	},

	Account: Account{
		SignIn: "Sign in", SignUp: "Create your account", SignOut: "Sign out", StaySignedIn: "Stay signed in",
		SigningOut: "You will be signed out of this browser.",
		Email:      "E-mail", Password: "Password", Name: "Your name", Organization: "Organization",
		NewPassword: "New password",
		Forgot:      "Forgot password?", New: "New here?", Create: "Create an account", CreateAccount: "Create account",
		Have:             "Already have an account?",
		Lead:             "A workspace for your data: in the browser, through an API, and for AI assistants.",
		OrganizationHint: "Your company, team or household. You can invite others later.",
		PasswordHint:     "At least 10 characters. A few unrelated words work well.",
		ResetTitle:       "Reset your password", ResetLead: "We will send you a link to choose a new one.",
		ResetSend: "Send the link", BackToSignIn: "Back to sign in",
		ChooseTitle: "Choose a new password", Revoke: "Revoke all API keys and connected apps",
		RevokeHint: "Keep this ticked if someone else may have used your account, because keys that they created " +
			"would keep working.",
		RevokeAll: "All API keys and connected apps of this account are revoked, because its address was never " +
			"confirmed.",
		SetPassword: "Set the password",
		VerifyTitle: "Confirm your address", Verify: "Yes, confirm it",
		VerifyHint:   "The password of the account with this address. It is not needed in a browser that is signed in.",
		AddressTitle: "Change your address", Change: "Yes, change it",
		ChangeHint: "The password of the account. It is not needed in a browser that is signed in.",
		NotYours:   "It is not your account? Close this page: somebody mistyped their address.",
		Join:       "Join", SignInToJoin: "Sign in to join.", SignOutToJoin: "Sign out and continue",
		CreateAndJoin: "Create account and join",
		Continue:      "Continue", ThankYou: "Thank you", CheckMail: "Check your mail",
		Sent: "If there is an account with that address, we have sent it a link to choose a new password. The link " +
			"is valid for an hour.",
		Confirmed:    "Your e-mail address is confirmed.",
		Changed:      "Your account has the new e-mail address. Sign in with it from now on.",
		AfterReset:   "Your password was changed. Sign in with the new one.",
		AfterSignOut: "You are signed out.",
		WentWrong:    "Something went wrong", PageNotFound: "Page not found", TryLater: "Try again later",
		ElsewhereForm: "This form was submitted from another site. Open the page here and try again.",
		TooLarge:      "The form is too large.", Unread: "The form could not be read.",
		For:       [2]string{"For ", ". You will be signed out everywhere else."},
		Verifying: [2]string{"Is ", " your e-mail address?"},
		Changing:  [3]string{"Use ", " for your account instead of ", "?"},
		NotSignedUp: [2]string{
			"You did not sign up? Close this page: someone else used your address. To take over the account, ",
			"reset its password",
		},
		JoinTitle: func(organization string) string { return "Join " + organization },
		Invited: func(by, organization, role string) string {
			invited, article := "You are invited", "an"
			if by != "" {
				invited = by + " invites you"
			}
			if role == "viewer" || role == "guest" {
				article = "a"
			}
			return fmt.Sprintf("%s to join %s as %s %s.", invited, organization, article, role)
		},
		SignedInAs: func(email string) string { return "You are signed in as " + email + "." },
		ForSomebodyElse: func(email, present string) string {
			return fmt.Sprintf("The invitation is for %s, but you are signed in as %s.", email, present)
		},
		HasAccount: func(email string) string { return "There is an account for " + email + "." },
	},

	Refused: Refused{
		SignIn: "The e-mail address or the password is wrong.",
		Guessed: "Too many wrong passwords were given for this address. Sign in with a browser that you have used " +
			"for it before, or set a new password with a link by mail.",
		Attempts:         "Too many attempts to sign in to this account. Try again in a few seconds.",
		HasAccount:       "This e-mail address has an account already. Sign in, or reset the password.",
		AccountThere:     "has an account already",
		LinkEnded:        "This link does not work any more: it was used, has expired, or is not complete.",
		NotOfAccount:     "The password is not that of the account.",
		NotOfThisAccount: "is not the password of this account",
		PasswordChanged:  "The password was changed a moment ago; sign in with the new one.",
		NoMail:           "This service sends no mail, because none was set up. Ask whoever runs it.",
		MailFailed:       "The mail could not be sent just now. Try again in a moment.",
		Short:            "must be at least 10 characters long; several words make a good one",
		OwnName:          "must not be your name or address",
		Common: "is one of the 100,000 passwords that are found most often in data breaches, so it is among the " +
			"first that anybody tries; several words that do not belong together make a good one",
		NoAddress: "must be an e-mail address, as in kari@example.com",
		Empty:     "must not be empty",
		Nobody:    "Nobody is signed in.",
		Guessable: "is easy to guess; several words that do not belong together make a good one",
		Long:      func(characters string) string { return "must be at most " + characters + " characters long" },
		Files:     func(most string) string { return "must be at most " + most + " files" },
		Between:   func(low, high string) string { return "must be a whole number from " + low + " to " + high },
		NoPage:    func(path string) string { return "There is no page at " + path + "." },
	},
	Untitled: "Untitled record", FormerMember: "Former member", File: "File", NoRecords: "There are no records.",
	Search: "Search", Edit: "Edit",
	More: func(count int) string { return fmt.Sprintf("and %d more", count) },
	None: func(field string) string { return "No " + field },
	Checked: func(field string, checked bool) string {
		return field + ": " + map[bool]string{true: "yes", false: "no"}[checked]
	},
	Of: func(function, field string) string {
		return join(map[string]string{
			"count": "Number of values of", "distinct": "Number of different values of", "sum": "Sum of",
			"avg": "Average of", "median": "Median of", "min": "Smallest", "max": "Largest",
		}[function], field)
	},
	Records: func(count int64) string {
		if count == 1 {
			return "1 record"
		}
		return number(count) + " records"
	},
	Month:   func(day time.Time) string { return day.Format("January 2006") },
	Day:     func(day time.Time) string { return day.Format("2 January 2006") },
	DayName: func(day time.Time) string { return day.Format("Monday 2 January") },
	Weekday: func(day time.Time) string { return day.Format("Mon") },
	Quarter: func(number, year int) string { return fmt.Sprintf("Q%d %d", number, year) },
	Moment:  func(at time.Time) string { return at.Format("2 January 2006, 15:04") },
	Failed:  "Something went wrong on our side. Try again in a moment.",
	FileExpired: "The link to this file has expired, because file links are valid for only a few minutes. Go back " +
		"to the page where you found it, reload it, and open the file again.",
	TooMany: "There were too many attempts or requests. Try again in a few minutes.",
}

// wrong is a function with what is said of each kind of question, or of the others.
func wrong(others string, of map[field.Ask]string) func(field.Ask) string {
	return func(ask field.Ask) string { return cmp.Or(of[ask], others) }
}

// names is a function with the values of a map.
func names(of map[string]string) func(string) string {
	return func(name string) string { return of[name] }
}

// join puts a word before a name, unless there is none.
func join(word, name string) string {
	if word == "" {
		return ""
	}
	return word + " " + name
}

// list names things behind a mark, or nothing if there are none.
func list(mark string, of []string) string {
	if len(of) == 0 {
		return ""
	}
	return mark + strings.Join(of, ", ")
}
