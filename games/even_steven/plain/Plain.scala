// Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.
object Plain {
  def valueOf(card: String): Int = "23456789TJQKA".indexOf(if (card.length == 3) 'T' else card.head)

  def main(args: Array[String]): Unit = {
    var hand = List[String]()
    for (line <- io.Source.stdin.getLines)
      line.split(" ").toList match {
        case "YOU" :: _ =>
        case count :: cards if count.forall(_.isDigit) => hand = cards
        case dealt :: _ =>
          val card = hand.find(held => valueOf(held) >= valueOf(dealt)).getOrElse(hand.head)
          println(card)
          hand = hand.diff(List(card))
      }
  }
}
