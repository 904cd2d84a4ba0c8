// Asks for what the page needs while its code is on its way; src/api/prefetch.ts takes it over.
(function () {
  if (sessionStorage.getItem("rowhouse.viewAs")) return; // src/api/viewas.ts
  var asked = (window.rowhousePrefetched = {});
  var open = /^\/base\/(bas_\w+)(?:\/(tbl_\w+))?\/?$/.exec(location.pathname);

  function ask(path, look) {
    var answer = fetch(path, { credentials: "same-origin", headers: { Accept: "application/json" } });
    asked[path] = look ? answer.then(look) : answer;
    asked[path].catch(function () {});
  }

  // Filters and orders are worked out by the application.
  function askForRows(base) {
    var table = base.tables.find(function (one) {
      return one.id === open[2];
    });
    if (!table) return;
    var search = new URLSearchParams(location.search);
    if (search.has("asOf")) return;
    var wanted = search.get("view");
    var view =
      table.views.find(function (one) {
        return one.id === wanted;
      }) || table.views[0];
    if (!view || ["form", "calendar", "timeline"].indexOf(view.type) >= 0) return;
    var config = view.config || {};
    var selecting = ["filters", "sorts", "groupBy"].some(function (key) {
      return (config[key] || []).length > 0;
    });
    var colors = (config.colorRules || []).length > 0 && view.type !== "chart" ? "&colorsOf=" + view.id : "";
    if (!selecting) ask("/api/v1/tables/" + table.id + "/records?offset=0&limit=100" + colors);
  }

  ["/account/api/profile", "/api/v1/orgs", "/api/v1/bases", "/api/v1/me"].forEach(function (path) {
    ask(path);
  });
  if (!open) return;
  // The application finds the rows that were asked for before.
  ask("/api/v1/bases/" + open[1], function (answer) {
    if (!answer.ok || !open[2]) return answer;
    function over() {
      return answer;
    }
    return answer.clone().json().then(askForRows).then(over, over);
  });
})();
