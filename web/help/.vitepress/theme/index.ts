import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";
import "./code.css";

// The router of the help takes no link of the class vp-raw for a page of its own.
const application = () => h("a", { class: "application vp-raw", href: "/", target: "_self" }, "Open Rowhouse");

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { "nav-bar-content-after": application, "nav-screen-content-after": application }),
};

export default theme;
