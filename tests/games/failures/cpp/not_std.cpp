#include <bits/stdc++.h>
#include <nlohmann_json.hpp>

int main() {
}
