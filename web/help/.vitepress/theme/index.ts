import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";
import "./code.css";

export default DefaultTheme;
