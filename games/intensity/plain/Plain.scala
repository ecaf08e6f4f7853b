// Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
object Plain {
  def main(args: Array[String]): Unit = {
    val numbers = scala.io.Source.stdin.mkString.split("\\s+").filter(_.nonEmpty).map(_.toInt).toList
    numbers match {
      case 0 :: _ => println("Plain Scala")
      case 1 :: hand => println(hand.take(3).mkString(" "))
      case 2 :: held :: laid :: _ :: cards =>
        val (hand, rest) = cards.splitAt(held)
        val (table, past) = rest.splitAt(laid)
        val calves = past.take(4 * (10 - held)).exists(_ / 10 == 3)
        def may(card: Int): Boolean = if (laid > 0) card / 10 == table.head / 10 else calves || card / 10 != 3
        println(hand.find(may).getOrElse(hand.head))
      case _ =>
    }
  }
}
