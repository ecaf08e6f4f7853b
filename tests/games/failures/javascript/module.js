const lodash = require("lodash");

console.log(lodash.first(["c2"]));
