package field

var _ = Register(&Base{Info{
	Type: "button", Place: 200, Title: "Button", Description: "Opens an address; it holds no value.",
	Keys: []Key{labelKey, urlKey}, ApplicationOnly: true,
}})
