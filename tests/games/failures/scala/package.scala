import io.circe.parser

object Shark {
  def main(words: Array[String]): Unit = {
    println(parser.parse("1"))
  }
}
