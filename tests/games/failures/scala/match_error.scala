object Shark {
  def value(card: String): Int = card match {
    case "c2" => 2
  }

  def main(words: Array[String]): Unit = {
    println(value("c3"))
  }
}
